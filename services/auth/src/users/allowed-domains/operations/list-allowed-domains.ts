import type { Context } from '@quire/context';
import { selectAllowedDomains } from '../allowed-domains.repository.js';
import type { AllowedDomainResponse } from '../allowed-domains.schemas.js';
import { toAllowedDomainResponse } from '../allowed-domain.mapper.js';

/** All domains whose people may make an account of themselves, by name (contract 24). */
export async function listAllowedDomains(ctx: Context): Promise<AllowedDomainResponse[]> {
  return (await selectAllowedDomains(ctx.db)).map(toAllowedDomainResponse);
}
