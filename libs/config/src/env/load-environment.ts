import type { z } from 'zod';
import type { EdgeAccessOptions } from '../site/edge-access.js';
import { ConfigurationError } from './configuration-error.js';
import { readSecretFiles } from './secret-files.js';
import { variables, type Environment, type VariableName } from './variables.js';

const databaseVariable = /^(?:[A-Z]+_)?DATABASE_URL_[A-Z0-9_]+$/;

/** Whether a variable is a secret, which may also be in a file: `NAME_FILE` is its path. */
function isSecret(name: string): boolean {
  const meta = name in variables ? variables[name as VariableName][1] : undefined;
  return (
    databaseVariable.test(name) || (meta !== undefined && 'sensitive' in meta && meta.sensitive === true)
  );
}

/**
 * Reads and validates the environment. An empty variable counts as unset.
 * @throws ConfigurationError that names every invalid variable, one line each, without values
 */
export function loadEnvironment(given: NodeJS.ProcessEnv = process.env): Environment {
  const env = readSecretFiles(given, isSecret);
  const mistakes: string[] = [];
  const loaded: Record<string, unknown> = {};
  for (const name of Object.keys(variables) as VariableName[]) {
    const [schema] = variables[name];
    const parsed = (schema as z.ZodType).safeParse(env[name] === '' ? undefined : env[name]);
    if (parsed.success) loaded[name] = parsed.data;
    else mistakes.push(`${name}: ${parsed.error.issues.map((issue) => issue.message).join(', ')}`);
  }
  if (mistakes.length > 0)
    throw new ConfigurationError(`Invalid environment variable: ${mistakes.join('\n')}`);
  return loaded as Environment;
}

/** URLs of extra databases of tenants by variable: DATABASE_URL_EU1, CONTENT_DATABASE_URL_EU1. */
export function extraDatabaseUrls(env: NodeJS.ProcessEnv = process.env): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(readSecretFiles(env, isSecret)).flatMap(([name, value]) =>
      value && databaseVariable.test(name) ? [[name, value]] : [],
    ),
  );
}

/**
 * Returns the audience of the edge access proxy's assertions: the configured one, else that of the configured variable.
 * @throws ConfigurationError when neither is set
 */
export function edgeAudience(
  { audience, audienceEnvVar }: EdgeAccessOptions,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const value = audience ?? env[audienceEnvVar];
  if (value) return value;
  throw new ConfigurationError(
    `auth.audience is not set: set it in the site configuration, or set ${audienceEnvVar}`,
  );
}
