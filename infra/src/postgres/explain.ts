import { UserFacingError } from '../../prepare/user-facing-error.mjs';

/** The place that a line names. */
interface Place {
  cluster: string;
  logFile?: string;
}

const rules: readonly [RegExp, (place: Place, match: RegExpExecArray) => string][] = [
  [
    /No space left on device/,
    ({ cluster }) => `The disk is full: free some space on the volume of ${cluster} and start again.`,
  ],
  [
    /Disk quota exceeded/,
    ({ cluster }) => `The disk quota is used up: free some space in ${cluster} and start again.`,
  ],
  [
    /database files are incompatible with server|was initialized by PostgreSQL version/,
    ({ cluster }) =>
      `The database in ${cluster} was made by another PostgreSQL version: start the Quire release that made it and export the sites, or move the folder away to start empty.`,
  ],
  [
    /has wrong ownership|Permission denied|Operation not permitted|must be owned by/,
    ({ cluster }) =>
      `No permission for the database in ${cluster}: start Quire as the user who made it, or change the owner of the folder.`,
  ],
  [
    /error while loading shared libraries: ([^:\s]+)/,
    (_, [, library]) =>
      `PostgreSQL needs the system library ${library}: install it, or set DATABASE_URL to a PostgreSQL of your own.`,
  ],
  [
    /Read-only file system/,
    ({ cluster }) => `${cluster} is on a read-only volume: choose a writable folder with CMS_DATA_DIR.`,
  ],
  [
    /Cannot allocate memory|could not (?:create|map) .*shared memory|Out of memory/i,
    () => 'There is too little memory for the database: stop other programs or give the machine more memory.',
  ],
  [
    /could not look up effective user ID (\d+)/,
    (_, [, uid]) =>
      `User id ${uid} has no name on this system, which PostgreSQL needs: start Quire as a user from /etc/passwd, or set DATABASE_URL.`,
  ],
  [
    /control file|checkpoint record|could not open file|could not open directory|could not read file|could not access directory|invalid (?:page|magic|data|record|value)|is not a database cluster directory|configuration file|pg_filenode|PANIC/,
    ({ cluster }, match) =>
      `The database in ${cluster} is damaged (${firstErrorLine(match.input)}): put a backup of the folder back, or move it away to start empty.`,
  ],
];

/** The first error of the output, without its time stamp and level. */
function firstErrorLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const line = lines.find((each) => /(FATAL|PANIC|ERROR|error):/.test(each)) ?? lines.at(-1) ?? 'no output';
  return line.replace(/^.*?(?:FATAL|PANIC|ERROR|error):\s*/, '').trim();
}

/** Maps the output of a failed initdb or postgres to one line that says what to do. */
export function toPostgresError(text: string, place: Place): UserFacingError {
  for (const [pattern, line] of rules) {
    const match = pattern.exec(text);
    if (match) return new UserFacingError(line(place, match));
  }
  const log = place.logFile ? ` (all of it: ${place.logFile})` : '';
  return new UserFacingError(`The database did not start: ${firstErrorLine(text)}${log}.`);
}
