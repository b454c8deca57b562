import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { messages } from './messages-plugin.mjs';

const outDir = fileURLToPath(new URL('../dist/browser', import.meta.url));
/** @param {string} name of a module in the place of one that needs Node.js, or is larger than the panel's needs */
const shim = (name) => fileURLToPath(new URL(`shims/${name}.ts`, import.meta.url));
/** Smaller files gain nothing. */
const minCompressedBytes = 512;

/**
 * Writes each file in the codings that browsers accept beside it: compression of a request would repeat for each one.
 * @returns {import('vite').Plugin}
 */
function compressed() {
  return {
    name: 'compressed',
    writeBundle() {
      for (const name of readdirSync(`${outDir}/assets`)) {
        const bytes = readFileSync(`${outDir}/assets/${name}`);
        if (!/\.(?:js|css)$/.test(name) || bytes.length < minCompressedBytes) continue;
        const params = {
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          [constants.BROTLI_PARAM_QUALITY]: 9,
        };
        writeFileSync(`${outDir}/assets/${name}.br`, brotliCompressSync(bytes, { params }));
        writeFileSync(`${outDir}/assets/${name}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  // Only the index page has the address of the files.
  base: './',
  resolve: {
    conditions: ['@app/source', 'module', 'browser', 'production'],
    alias: {
      // What libs/permissions needs of it: the envelope is for servers, and needs Node.js.
      '@quire/errors': fileURLToPath(
        new URL('../../../libs/errors/src/codes/quire-error.ts', import.meta.url),
      ),
      // What libs/content-model needs of them to check values.
      re2js: shim('patterns'),
      'jsonc-parser': shim('unavailable'),
      'node:crypto': shim('unavailable'),
      'node:url': shim('unavailable'),
      'node:util': shim('unavailable'),
    },
  },
  plugins: [
    { ...optimizeLocales.vite({ locales: ['en-US', 'de-DE'] }), enforce: 'pre' },
    messages(),
    react(),
    compressed(),
  ],
  build: {
    outDir,
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The size of what each screen loads has a limit of its own: npm run check -- panel-size.
    chunkSizeWarningLimit: 1000,
    rollupOptions: { input: fileURLToPath(new URL('index.tsx', import.meta.url)) },
  },
});
