import { z } from 'zod';
import { CommandError, SiteError } from '../command-error.js';
import { ConnectionError, type HttpClient } from '../http/http-client.js';
import { readJson } from '../http/read-response.js';
import type { Sleep } from '../http/retries.js';
import type { AuthorizationServer } from './discovery.js';
import { deviceGrantType, requestTokens, sendForm, type Tokens } from './tokens.js';

const defaultIntervalSeconds = 5;
/** What `slow_down` adds to the interval (RFC 8628, 3.5). */
const slowDownMs = 5_000;
const maxIntervalMs = 60_000;

const startedSchema = z.object({
  device_code: z.string().min(1),
  user_code: z.string().min(1),
  verification_uri: z.url({ protocol: /^https?$/ }),
  expires_in: z.number().positive(),
  interval: z.number().positive().default(defaultIntervalSeconds),
});

export type StartedDevice = z.output<typeof startedSchema>;

interface DeviceClient {
  http: HttpClient;
  server: AuthorizationServer;
  clientId: string;
}

/**
 * Starts the authorization of this device (RFC 8628, 3.1).
 * @throws SiteError, for example with the code INVALID_SCOPE; ConnectionError
 */
export async function startDevice(
  { http, server, clientId }: DeviceClient,
  scopes: readonly string[],
): Promise<StartedDevice> {
  const fields = { client_id: clientId, scope: scopes.join(' ') };
  return readJson(await sendForm(http, server.deviceEndpoint, fields), startedSchema);
}

/**
 * Polls until the user has decided (RFC 8628, 3.4), and goes on after broken connections.
 * @throws CommandError when the user denies, or the code expires; the reason of the signal
 */
export async function awaitTokens(
  { http, server, clientId }: DeviceClient,
  device: StartedDevice,
  { sleep, signal }: { sleep: Sleep; signal: AbortSignal },
): Promise<Tokens> {
  const fields = { grant_type: deviceGrantType, device_code: device.device_code, client_id: clientId };
  const deadline = Date.now() + device.expires_in * 1000;
  let intervalMs = device.interval * 1000;
  while (Date.now() < deadline) {
    await sleep(intervalMs, signal);
    try {
      return await requestTokens(http, server.tokenEndpoint, fields, signal);
    } catch (error) {
      signal.throwIfAborted();
      intervalMs = nextInterval(error, intervalMs);
    }
  }
  throw expiredError();
}

/** @returns milliseconds until the next poll. @throws CommandError when there is none */
function nextInterval(error: unknown, intervalMs: number): number {
  // A client that gets no answer polls half as often (RFC 8628, 3.5).
  if (error instanceof ConnectionError) return Math.min(intervalMs * 2, maxIntervalMs);
  if (!(error instanceof SiteError)) throw error;
  switch (error.code) {
    case 'authorization_pending':
      return intervalMs;
    case 'slow_down':
      return intervalMs + slowDownMs;
    case 'access_denied':
      throw new CommandError('The login was denied in the browser');
    case 'expired_token':
      throw expiredError();
    default:
      if (error.status < 500 && error.status !== 429) throw error;
      return Math.max(intervalMs, error.retryAfterMs ?? 0);
  }
}

function expiredError(): CommandError {
  return new CommandError('The code has expired before it was approved: run the command again');
}
