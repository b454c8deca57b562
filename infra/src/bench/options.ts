import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import { parseCommandLine } from '../command.js';
import { operationNames } from './operations.js';

/** The loads beside the operations on entries. */
export const loadNames = ['media', 'usage', 'search', 'mcp', 'authentication'] as const;
/** With the parts that are not measured in rounds. */
const partNames = [...loadNames, 'agents', 'import', 'transfer', 'schedules', 'growth', 'tenants'] as const;

/** The counted rounds follow one that warms up caches, plans and the compiler. */
const defaults = {
  rounds: 5,
  seconds: 2,
  connections: 16,
  entries: 2_000,
  'search-entries': 10_000,
  'import-posts': 10_000,
  'import-bytes': 0,
  'import-files': 2_000,
  'transfer-posts': 10_000,
  'transfer-files': 500,
  'schedule-sites': 100,
  'schedule-entries': 10_000,
  'schedule-seconds': 60,
  'growth-search-entries': 100_000,
  tenants: 100,
};
/** Without counted rounds, the round that warms up is reported. */
const brief: typeof defaults = {
  rounds: 0,
  seconds: 0,
  connections: 4,
  entries: 60,
  'search-entries': 40,
  'import-posts': 20,
  'import-bytes': 0,
  'import-files': 10,
  'transfer-posts': 20,
  'transfer-files': 3,
  'schedule-sites': 2,
  'schedule-entries': 10,
  'schedule-seconds': 1,
  'growth-search-entries': 1_000,
  tenants: 20,
};

const growthSizes = { default: [1_000, 10_000, 100_000], brief: [200, 1_000] };

export const usage = `Usage: npm run bench [-- OPTIONS]

Measures Quire through its gateway beside two baseline Fastify handlers, of which one runs the same SQL and the other is
minimal, in alternation in one run. docs/benchmarks.md explains the figures.

  --brief               runs everything once, to check that it works; its figures say nothing
  --only NAMES          a comma list (default: all) of ${operationNames.join(', ')},
                        ${partNames.join(', ')}
  --rounds N            measured rounds (${defaults.rounds})
  --seconds N           seconds of each measurement (${defaults.seconds}); 0 for a few requests
  --connections N       concurrent clients (${defaults.connections})
  --entries N           entries of the site (${defaults.entries})
  --search-entries N    entries of the search index (${defaults['search-entries']})
  --import-posts N      posts of the imported export (${defaults['import-posts']})
  --import-bytes N      size to which its posts are lengthened (${defaults['import-bytes']}: posts as they are)
  --import-files N      media files that an import downloads (${defaults['import-files']})
  --transfer-posts N    posts of the moved site (${defaults['transfer-posts']})
  --transfer-files N    its media files (${defaults['transfer-files']})
  --schedule-sites N    sites with scheduled publications (${defaults['schedule-sites']})
  --schedule-entries N  their publications (${defaults['schedule-entries']})
  --schedule-seconds N  time over which they are due (${defaults['schedule-seconds']})
  --growth-entries LIST a comma list of the sizes of the growing collections (${growthSizes.default.join()})
  --growth-search-entries N
                        size of the largest of them that is indexed for search (${defaults['growth-search-entries']})
  --tenants N           sites of the largest installation (${defaults.tenants})
  --docs                writes the tables of operations, growth and tenants, and the plot, into docs/
  --help                this text

Writes the result to the file of QUIRE_BENCH_SUMMARY.`;

type Numbers = Record<keyof typeof defaults, number>;

export interface BenchOptions extends Numbers {
  only: string[] | undefined;
  isBrief: boolean;
  /** Entries of the growing collections, in ascending order. */
  growthEntries: number[];
  /** Whether the run replaces tables and the plot in docs/. */
  writesDocs: boolean;
}

const names = Object.keys(defaults) as (keyof typeof defaults)[];
const texts = Object.fromEntries(names.map((name) => [name, { type: 'string' }])) as Record<
  keyof typeof defaults,
  { type: 'string' }
>;

/** @returns undefined when the arguments request help @throws UserFacingError on an unknown option or name */
export function parseOptions(args: string[]): BenchOptions | undefined {
  const { values } = parseCommandLine('npm run bench', {
    args,
    options: {
      brief: { type: 'boolean', default: false },
      only: { type: 'string' },
      ...texts,
      'growth-entries': { type: 'string' },
      docs: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const isBrief = values.brief;
  const numberOf = (name: keyof typeof defaults, text: string | undefined) =>
    text === undefined ? (isBrief ? brief : defaults)[name] : toNumber(name, text);
  const numbers = Object.fromEntries(names.map((name) => [name, numberOf(name, values[name])])) as Numbers;
  const only = values.only?.split(',');
  const known = [...operationNames, ...partNames];
  const unknown = only?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UserFacingError(`Unknown benchmark ${unknown}: choose one or more of ${known.join(', ')}`);
  const sizes = values['growth-entries']?.split(',').map((text) => toNumber('growth-entries', text));
  const growthEntries =
    sizes?.sort((left, right) => left - right) ?? growthSizes[isBrief ? 'brief' : 'default'];
  return { ...numbers, only, isBrief, growthEntries, writesDocs: values.docs };
}

function toNumber(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new UserFacingError(`--${name} must be a whole number, not ${text}: see npm run bench -- --help.`);
}
