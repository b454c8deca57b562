import { readFileSync } from 'node:fs';
import { ConfigurationError } from './configuration-error.js';

const suffix = '_FILE';

/**
 * Replaces `NAME_FILE` by `NAME` with the text of that file, for secrets that a container platform mounts as files.
 * Line ends after the text are left out.
 * @param isSecret whether the variable of a name may be a file
 * @throws ConfigurationError for a file that cannot be read, and for a variable that is set in both ways
 */
export function readSecretFiles(
  env: NodeJS.ProcessEnv,
  isSecret: (name: string) => boolean,
): NodeJS.ProcessEnv {
  const result: NodeJS.ProcessEnv = {};
  for (const [variable, value] of Object.entries(env)) {
    const name = variable.endsWith(suffix) ? variable.slice(0, -suffix.length) : undefined;
    if (name === undefined || !isSecret(name)) result[variable] ??= value;
    else if (value && env[name])
      throw new ConfigurationError(`${name} and ${variable} are both set: remove one of them`);
    else if (value) result[name] = readText(variable, value);
  }
  return result;
}

function readText(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(`${variable}: the file cannot be read (${code})`);
  }
}
