import { createRoot } from 'react-dom/client'
import './theme.css'

const place = document.getElementById('app')
if (place !== null) createRoot(place).render(null)
