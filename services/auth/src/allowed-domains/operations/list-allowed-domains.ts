import type { Context } from '@quire/context';
import { findDomains } from '../allowed-domains.repository.js';
import type { AllowedDomainAnswer } from '../allowed-domains.schemas.js';
import { domainAnswer } from '../domain-answer.js';

/** All domains whose people may make an account of themselves, by name (contract 24). */
export async function listAllowedDomains(ctx: Context): Promise<AllowedDomainAnswer[]> {
  return (await findDomains(ctx.db)).map(domainAnswer);
}
