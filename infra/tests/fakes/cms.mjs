/** `npm run -s cms` with the fake application. */
import { fileURLToPath } from 'node:url';
import { runCms } from '../../dist/supervisor/cms.js';

const root = fileURLToPath(new URL('.', import.meta.url));
const app = { targets: `${root}targets.json`, main: `${root}main.mjs`, cms: `${root}commands.mjs` };
process.exit(await runCms({ root, app, args: process.argv.slice(2) }));
