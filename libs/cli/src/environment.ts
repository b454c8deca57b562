import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the environment says about sites. */
export interface CliEnvironment {
  /** Address of the site for commands without `--site` (`CMS_URL`). */
  siteUrl: string | undefined;
  /** Personal access token that replaces a login (`CMS_TOKEN`). */
  token: string | undefined;
  /** The user's folder for settings of this program. */
  configFolder: string;
  proxies: ProxyVariables;
}

/** What the environment says about proxies; the names in small letters come first, as in other programs. */
export interface ProxyVariables {
  /** Address of the proxy for https (`HTTPS_PROXY`, else `HTTP_PROXY`). */
  httpsProxy: string | undefined;
  /** Hosts that are reached without the proxy, in a comma list (`NO_PROXY`). */
  noProxy: string | undefined;
}

/** Reads the environment. An empty variable counts as unset. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): CliEnvironment {
  const { CMS_URL: siteUrl, CMS_TOKEN: token, XDG_CONFIG_HOME: configHome } = env;
  return {
    siteUrl: siteUrl || undefined,
    token: token || undefined,
    configFolder: join(configHome || join(homedir(), '.config'), 'quire'),
    proxies: {
      httpsProxy: env.https_proxy || env.HTTPS_PROXY || env.http_proxy || env.HTTP_PROXY || undefined,
      noProxy: env.no_proxy || env.NO_PROXY || undefined,
    },
  };
}
