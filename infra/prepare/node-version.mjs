// Old syntax on purpose: an old Node.js must be able to read this file and say what is wrong.

/**
 * The first minor version of each line that loads ES modules with require(), which NestJS 12 needs.
 * @type {Record<number, number>} */
const firstMinor = { 20: 19, 22: 12 };

/**
 * @param {string} version such as '20.19.0'
 * @returns {string | undefined} the line to print when Quire cannot run on it
 */
export function nodeProblem(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const needed = firstMinor[major];
  const isGood = major > 22 || (needed !== undefined && minor >= needed);
  if (isGood) return undefined;
  return (
    'Quire needs Node.js 20.19 or newer (in the 22 line: 22.12), this is ' +
    version +
    ': install it from https://nodejs.org and start again.'
  );
}

/** Ends the process with one line when this Node.js is too old. */
export function requireNode() {
  const problem = nodeProblem(process.versions.node);
  if (problem === undefined) return;
  console.error(problem);
  process.exit(1);
}
