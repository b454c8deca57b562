import type { Context } from '@quire/context';
import { clientKey, type RateLimit, type RateLimiter } from '@quire/rate-limit';

const windowSeconds = 300;
const perClient = 3;
/** Nobody's mailbox is filled, whoever asks from wherever. */
const perRecipient = 5;

/**
 * Counts a mail that somebody without a credential asks for (contract 4).
 * @returns false over the limit: then no mail goes out, and the answer is the same.
 */
export async function takesMail(
  { clientAddress, principal }: Context,
  limiter: RateLimiter,
  { name, email }: { name: string; email: string },
): Promise<boolean> {
  const { id } = principal.tenant;
  const byClient: RateLimit = { name, limit: perClient, windowSeconds };
  if (
    clientAddress !== null &&
    !(await limiter.consume(byClient, `${id} ${clientKey(clientAddress)}`)).allowed
  )
    return false;
  const byRecipient: RateLimit = { name: `${name}-to`, limit: perRecipient, windowSeconds };
  return (await limiter.consume(byRecipient, `${id} ${email}`)).allowed;
}
