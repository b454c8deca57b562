import { readFileSync } from 'node:fs';
import { UserFacingError } from '../process/user-facing-error.mjs';

export const usage = (known) => `Usage: npm start [-- --target NAMES]

Installs, builds and starts Quire with everything it needs, and says when it is ready. Ctrl-C stops it.

  --target NAMES  what to start in one process: a name or a comma list of names (default: all, as two processes)
                  names: ${known.join(', ')}
  --help          this text

Settings come from environment variables: PORT (4321), CMS_DATA_DIR (.data), DATABASE_URL (else an embedded
PostgreSQL) and others, see docs/variables.md.`;

/**
 * The targets that exist, from the one list that start, image and compose file share.
 * @param {string} file targets.json of the application
 * @returns {{ api: string[], worker: string[] }}
 */
export function readTargets(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * @param {string[]} args
 * @param {{ api: string[], worker: string[] }} targets
 * @returns {{ help: boolean, chosen: 'all' | string[] }}
 */
export function parseArguments(args, { api, worker }) {
  const known = [...api, ...worker];
  const names = [];
  for (let index = 0; index < args.length; index += 1) {
    const [option, value] = args[index].split('=', 2);
    if (option === '--help' || option === '-h') return { help: true, chosen: 'all' };
    if (option !== '--target')
      throw new UserFacingError(`Unknown argument ${args[index]}: see npm start -- --help.`);
    const list = value ?? args[(index += 1)];
    if (!list)
      throw new UserFacingError(`--target needs a name: all, or one or more of ${known.join(', ')}.`);
    names.push(
      ...list
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    );
  }
  const unknown = names.find((name) => name !== 'all' && !known.includes(name));
  if (unknown)
    throw new UserFacingError(
      `Unknown target ${unknown}: choose all, or one or more of ${known.join(', ')}.`,
    );
  const isAll = names.length === 0 || names.includes('all');
  return { help: false, chosen: isAll ? 'all' : [...new Set(names)] };
}
