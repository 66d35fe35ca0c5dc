import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { noticesInScript } from './third-party-notices.ts'

/** The inspector alone as one script and one style sheet, which `plimsoll inspect --html` puts into a page that needs no server. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), noticesInScript()],
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: '../node/dist/web-inspect',
    emptyOutDir: true,
    target: 'es2023',
    cssCodeSplit: false,
    copyPublicDir: false,
    reportCompressedSize: false,
    lib: {
      entry: 'src/inspect-page.tsx',
      formats: ['iife'],
      name: 'plimsoll',
      fileName: () => 'inspect.js',
      cssFileName: 'inspect',
    },
  },
})
