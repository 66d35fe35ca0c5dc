import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The web app, built into the node package, which serves it. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: '../node/dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows no inline modules.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
})
