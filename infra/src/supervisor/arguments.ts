import { readFileSync } from 'node:fs';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import { parseCommandLine } from '../command.js';

export const usage = (known: readonly string[]) => `Usage: npm start [-- --target NAMES]

Installs, builds and starts Quire with everything it needs, and says when it is ready. Ctrl-C stops it.

  --target NAMES  what to start in one process: a name or a comma list of names (default: all, as two processes)
                  names: ${known.join(', ')}
  --help          this text

Settings come from environment variables: PORT (4321), CMS_DATA_DIR (.data), DATABASE_URL (else an embedded
PostgreSQL) and others, see docs/variables.md.`;

/** The targets of an application, as in targets.json. */
export interface Targets {
  api: string[];
  worker: string[];
}

/** The existing targets, from the list that `npm start`, the image and docker-compose.yml share. */
export function readTargets(file: string): Targets {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** @throws UserFacingError one line that names the unknown option or target */
export function parseArguments(
  args: string[],
  { api, worker }: Targets,
): { help: boolean; chosen: 'all' | string[] } {
  const known = [...api, ...worker];
  const { values } = parseCommandLine('npm start', {
    args,
    options: {
      target: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const names = values.target.flatMap((list) => list.split(',').map((name) => name.trim()));
  const unknown = names.find((name) => name !== 'all' && !known.includes(name));
  if (unknown !== undefined)
    throw new UserFacingError(
      `Unknown target ${unknown}: choose all, or one or more of ${known.join(', ')}.`,
    );
  const isAll = names.length === 0 || names.includes('all');
  return { help: values.help, chosen: isAll ? 'all' : [...new Set(names)] };
}
