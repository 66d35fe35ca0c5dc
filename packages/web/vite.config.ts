import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { noticesAsFile } from './third-party-notices.ts'

/** The web app, built into the node package, which serves it. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), noticesAsFile()],
  build: {
    outDir: '../node/dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows no inline modules.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // One file with all that every screen needs is loaded at once from this very machine.
    chunkSizeWarningLimit: 700,
  },
})
