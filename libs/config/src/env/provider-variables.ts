import { readSecretFiles } from './secret-files.js';

/** The environment variables of a login provider. */
export type ProviderVariables =
  | { values: Readonly<Record<string, string>>; missing?: undefined }
  | {
      values?: undefined;
      /** Names of the variables to set. */
      missing: readonly string[];
    };

/**
 * Reads the variables that a login provider needs: each from CMS_OAUTH_{PROVIDER}_{NAME}, else from {PROVIDER}_{NAME}
 * (spec document 1, Login methods 4). An empty variable counts as unset; with `_FILE` at its end, it is the path of a
 * file with the value.
 * @param id id of the provider; variables have it in upper case, with `_` for `-`
 */
export function providerVariables(
  id: string,
  names: readonly string[],
  given: NodeJS.ProcessEnv = process.env,
): ProviderVariables {
  const provider = id.toUpperCase().replaceAll('-', '_');
  const variablesOf = (name: string) => [`CMS_OAUTH_${provider}_${name}`, `${provider}_${name}`];
  const known = new Set(names.flatMap(variablesOf));
  const env = readSecretFiles(given, (name) => known.has(name));
  const found = names.map((name) => {
    const [value] = variablesOf(name).flatMap((variable) => env[variable] || []);
    return { name, value };
  });
  const missing = found.filter(({ value }) => !value).map(({ name }) => `CMS_OAUTH_${provider}_${name}`);
  if (missing.length > 0) return { missing };
  return { values: Object.fromEntries(found.map(({ name, value }) => [name, String(value)])) };
}
