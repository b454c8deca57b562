import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { z } from 'zod';

/** A captcha service: Turnstile, or one with the same interface. */
export interface CaptchaOptions {
  secret: string;
  /** Verifies tokens. */
  url: string;
  /** Has a timeout of its own. */
  fetch: typeof globalThis.fetch;
}

const verificationSchema = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).optional() });
/** Error codes that are unrelated to the token: a wrong secret, or a failure of the service. */
const configurationErrors = ['missing-input-secret', 'invalid-input-secret', 'bad-request', 'internal-error'];

/** Verifies captcha tokens of guests. Without options every submission passes. */
export class Captcha {
  constructor(private readonly options: CaptchaOptions | undefined) {}

  /**
   * Asserts that a guest has solved the captcha; signed-in users need not.
   * @throws QuireError TURNSTILE_FAILED, SERVICE_UNAVAILABLE when the captcha service gives no verdict.
   */
  async assertSolved(
    { principal, clientAddress }: Pick<Context, 'principal' | 'clientAddress'>,
    token: string | undefined,
  ): Promise<void> {
    if (!this.options || principal.userId !== null) return;
    if (!token) throw failed();
    const { success, 'error-codes': codes = [] } = await verifyToken(token, clientAddress, this.options);
    if (success) return;
    const problem = codes.find((code) => configurationErrors.includes(code));
    throw problem === undefined
      ? failed()
      : unavailable(new Error(`The captcha service returned ${problem}`));
  }
}

async function verifyToken(
  token: string,
  clientAddress: string | null,
  { secret, url, fetch }: CaptchaOptions,
): Promise<z.output<typeof verificationSchema>> {
  const body = new URLSearchParams({ secret, response: token });
  if (clientAddress !== null) body.set('remoteip', clientAddress);
  try {
    const response = await fetch(url, { method: 'POST', body });
    return verificationSchema.parse(await response.json());
  } catch (error) {
    throw unavailable(error);
  }
}

const failed = () => new QuireError('TURNSTILE_FAILED', 'turnstileToken: solve the captcha and send again');
const unavailable = (cause: unknown) =>
  new QuireError('SERVICE_UNAVAILABLE', 'The captcha service is unavailable. Retry later.', { cause });
