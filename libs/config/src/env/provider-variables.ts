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
 * (spec document 1, Login methods 4). An empty variable counts as unset.
 * @param id id of the provider; variables have it in upper case, with `_` for `-`
 */
export function providerVariables(
  id: string,
  names: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ProviderVariables {
  const provider = id.toUpperCase().replaceAll('-', '_');
  const found = names.map((name) => ({
    name,
    value: env[`CMS_OAUTH_${provider}_${name}`] || env[`${provider}_${name}`],
  }));
  const missing = found.filter(({ value }) => !value).map(({ name }) => `CMS_OAUTH_${provider}_${name}`);
  if (missing.length > 0) return { missing };
  return { values: Object.fromEntries(found.map(({ name, value }) => [name, String(value)])) };
}
