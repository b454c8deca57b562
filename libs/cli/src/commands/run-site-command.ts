import type { Command } from 'commander';
import { CommandError, describeFailure, interrupted, SiteError } from '../command-error.js';
import { HttpClient } from '../http/http-client.js';
import { LoginCredentials, personalToken } from '../site-api/credentials.js';
import { SiteApi } from '../site-api/site-api.js';
import { siteOriginOf } from '../sites/site-origin.js';
import { SiteStore } from '../sites/site-store.js';
import { Output } from '../terminal/output.js';
import type { CommandIo } from './command-io.js';

/** Options of every command on one site. */
export interface SiteOptions {
  site?: string;
  json?: true;
}

/** What a command works with. */
export interface CommandDeps extends Pick<CommandIo, 'environment' | 'sleep' | 'confirm'> {
  http: HttpClient;
  store: SiteStore;
  output: Output;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** Adds the options of commands on one site. */
export function withSiteOptions(command: Command): Command {
  return command
    .option('--site <url>', 'The site. The default is CMS_URL, else the site of the last login.')
    .option('--json', 'Print JSON lines, for scripts.');
}

/**
 * Runs a command.
 * @param interruption what the user reads after Ctrl-C
 * @throws CommandError
 */
export async function runSiteCommand(
  io: CommandIo,
  { json, interruption }: { json?: true | undefined; interruption: string },
  run: (deps: CommandDeps) => Promise<void>,
): Promise<void> {
  const { environment, sleep, confirm } = io;
  const output = new Output(io, json);
  const http = new HttpClient(environment.proxies);
  const signal = io.stopSignal();
  const store = new SiteStore(environment.configFolder);
  try {
    await run({ environment, sleep, confirm, http, store, output, signal });
  } catch (error) {
    const failure = signal.aborted ? interrupted(interruption) : error;
    const code = failure instanceof SiteError && failure.code !== '' ? { code: failure.code } : {};
    output.fail({ ...code, message: describeFailure(failure).line });
    throw failure;
  } finally {
    await http.close();
  }
}

/** A site that a command works on, and whether the user gave a token for it in place of a login. */
export interface ChosenSite {
  origin: string;
  token: string | undefined;
}

/**
 * The site of a command: `--site`, else CMS_URL, else the site of the last login. CMS_TOKEN belongs to the site of
 * CMS_URL, or to `--site` without one, so that no other site gets it.
 * @throws CommandError without a site
 */
export async function chooseSite(
  { environment: { siteUrl, token }, store }: Pick<CommandDeps, 'environment' | 'store'>,
  { site }: SiteOptions,
): Promise<ChosenSite> {
  const ofEnvironment = siteUrl === undefined ? undefined : siteOriginOf(siteUrl);
  const named = site === undefined ? ofEnvironment : siteOriginOf(site);
  if (named !== undefined)
    return { origin: named, token: named === (ofEnvironment ?? named) ? token : undefined };
  if (token !== undefined) throw new CommandError('CMS_TOKEN is set without its site: set CMS_URL too');
  const { defaultSite } = await store.read();
  if (defaultSite !== null) return { origin: defaultSite, token: undefined };
  throw new CommandError('Name a site: run cms login URL, or set CMS_URL and CMS_TOKEN');
}

/** The API of a site, with the given token or that of the login. */
export function openApi(deps: Pick<CommandDeps, 'store' | 'http'>, { origin, token }: ChosenSite): SiteApi {
  const credentials = token === undefined ? new LoginCredentials(deps, origin) : personalToken(token);
  return new SiteApi(deps.http, credentials, origin);
}
