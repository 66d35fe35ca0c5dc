import { createRoot } from 'react-dom/client'
import { App } from './shell/app.tsx'
import './theme.css'

const place = document.getElementById('app')
if (place !== null) createRoot(place).render(<App />)
