/** `npm start` with the fake application. */
import { fileURLToPath } from 'node:url';
import { onShutdownSignal } from '../../prepare/shutdown-signal.mjs';
import { supervise } from '../../dist/supervisor/supervise.js';

const root = fileURLToPath(new URL('.', import.meta.url));
const app = { targets: `${root}targets.json`, main: `${root}main.mjs`, cms: `${root}commands.mjs` };
const shutdown = onShutdownSignal(process.env);
process.exit(await supervise({ root, app, args: process.argv.slice(2), shutdown }));
