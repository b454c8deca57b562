import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import { parseCommandLine } from '../command.js';
import { operationNames } from './operations.js';

/** The loads beside the operations on entries. */
export const loadNames = ['media', 'usage', 'search', 'mcp', 'authentication'] as const;
/** With the scores of scripted agents, the imports and the transfers, which have no load. */
const partNames = [...loadNames, 'agents', 'import', 'transfer'] as const;

/** The counted rounds follow one that warms up caches, plans and the compiler. */
const defaults = {
  rounds: 5,
  seconds: 2,
  entries: 2_000,
  'search-entries': 10_000,
  'import-posts': 10_000,
  'import-bytes': 0,
  'import-files': 2_000,
  'transfer-posts': 10_000,
  'transfer-files': 500,
};
/** Without counted rounds, the round that warms up is reported. */
const brief: typeof defaults = {
  rounds: 0,
  seconds: 1,
  entries: 200,
  'search-entries': 200,
  'import-posts': 300,
  'import-bytes': 0,
  'import-files': 20,
  'transfer-posts': 300,
  'transfer-files': 10,
};

export const usage = `Usage: npm run bench [-- OPTIONS]

Measures Quire through its gateway beside a baseline Fastify handler that runs the same SQL, in alternation in one run.
docs/benchmarks.md explains the figures.

  --brief               runs everything once, to check that it works; its figures say nothing
  --only NAMES          a comma list (default: all) of ${operationNames.join(', ')},
                        ${partNames.join(', ')}
  --rounds N            measured rounds (${defaults.rounds})
  --seconds N           seconds of each measurement (${defaults.seconds})
  --entries N           entries of the site (${defaults.entries})
  --search-entries N    entries of the search index (${defaults['search-entries']})
  --import-posts N      posts of the imported export (${defaults['import-posts']})
  --import-bytes N      size to which its posts are lengthened (${defaults['import-bytes']}: posts as they are)
  --import-files N      media files that an import downloads (${defaults['import-files']})
  --transfer-posts N    posts of the moved site (${defaults['transfer-posts']})
  --transfer-files N    its media files (${defaults['transfer-files']})
  --help                this text

Writes the result to the file of QUIRE_BENCH_SUMMARY.`;

export interface BenchOptions extends Record<keyof typeof defaults, number> {
  only: string[] | undefined;
}

/** @returns undefined when the arguments request help @throws UserFacingError on an unknown option or name */
export function parseOptions(args: string[]): BenchOptions | undefined {
  const { values } = parseCommandLine('npm run bench', {
    args,
    options: {
      brief: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      entries: { type: 'string' },
      'search-entries': { type: 'string' },
      'import-posts': { type: 'string' },
      'import-bytes': { type: 'string' },
      'import-files': { type: 'string' },
      'transfer-posts': { type: 'string' },
      'transfer-files': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const numberOf = (name: keyof typeof defaults) => {
    const text = values[name];
    if (text === undefined) return (values.brief ? brief : defaults)[name];
    if (/^\d+$/.test(text)) return Number(text);
    throw new UserFacingError(`--${name} must be a whole number, not ${text}: see npm run bench -- --help.`);
  };
  const only = values.only?.split(',');
  const known = [...operationNames, ...partNames];
  const unknown = only?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UserFacingError(`Unknown benchmark ${unknown}: choose one or more of ${known.join(', ')}`);
  return {
    only,
    rounds: numberOf('rounds'),
    seconds: numberOf('seconds'),
    entries: numberOf('entries'),
    'search-entries': numberOf('search-entries'),
    'import-posts': numberOf('import-posts'),
    'import-bytes': numberOf('import-bytes'),
    'import-files': numberOf('import-files'),
    'transfer-posts': numberOf('transfer-posts'),
    'transfer-files': numberOf('transfer-files'),
  };
}
