/** `npm run -s cms` with the fake application. */
import { fileURLToPath } from 'node:url';
import { command } from '../../supervisor/command.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const app = { targets: `${root}targets.json`, main: `${root}main.mjs`, cms: `${root}commands.mjs` };
process.exit(await command({ root, app, args: process.argv.slice(2), isPrepared: true }));
