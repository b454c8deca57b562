/** `npm start` with the fake application. */
import { fileURLToPath } from 'node:url';
import { supervise } from '../../supervisor/supervise.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const app = { targets: `${root}targets.json`, main: `${root}main.mjs`, cms: `${root}commands.mjs` };
process.exit(await supervise({ root, app, args: process.argv.slice(2), isPrepared: true }));
