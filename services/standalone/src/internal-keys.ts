import { ConfigurationError, type Environment } from '@quire/config';
import {
  deriveInternalKeys,
  gatewayIssuer,
  generateInternalKeyPair,
  readInternalKeys,
  type InternalKeys,
} from '@quire/context';
import { namesWith } from '@quire/topology';

/** Services that sign internal tokens: the gateway for callers, the others on their own behalf. */
const issuers = [gatewayIssuer, ...namesWith('callsServices')] as const;

/**
 * The keys of internal tokens of a process: as configured, else derived from the secret that all targets share.
 * @param targets of the process: each needs the key of its service
 * @throws ConfigurationError when only a part of the keys is configured
 */
export function internalKeysOf(
  { CMS_INTERNAL_PRIVATE_KEYS: privateKeys = [], CMS_INTERNAL_PUBLIC_KEYS: publicKeys = [] }: Environment,
  secret: string,
  targets: readonly string[],
): InternalKeys {
  if (privateKeys.length === 0 && publicKeys.length === 0) return deriveInternalKeys(secret, issuers);
  const keys = readInternalKeys({ privateKeys, publicKeys });
  const services = issuers.filter((service) =>
    targets.some((target) => target === service || target === `${service}-worker`),
  );
  const withoutKey = services.find((service) => !keys.privateKeys.has(service));
  if (withoutKey !== undefined)
    throw new ConfigurationError(
      `CMS_INTERNAL_PRIVATE_KEYS has no key of ${withoutKey}: see cms internal-keys`,
    );
  const untrusted = issuers.find((service) => !keys.publicKeys.has(service));
  if (untrusted !== undefined)
    throw new ConfigurationError(
      `CMS_INTERNAL_PUBLIC_KEYS has no key of ${untrusted}: see cms internal-keys`,
    );
  return keys;
}

/**
 * Makes new keys for all services, as lines for the `.env` of docker-compose.yml. Each target is given that of its
 * service as CMS_INTERNAL_PRIVATE_KEYS, and no other.
 */
export function generateInternalKeys(): string {
  const pairs = issuers.map((service) => ({ service, ...generateInternalKeyPair() }));
  const publicKeys = pairs.map(({ service, publicKey }) => `${service}:${publicKey}`).join(',');
  return [
    `CMS_INTERNAL_PUBLIC_KEYS=${publicKeys}`,
    ...pairs.map(
      ({ service, privateKey }) =>
        `CMS_INTERNAL_PRIVATE_KEYS_${service.toUpperCase()}=${service}:${privateKey}`,
    ),
  ].join('\n');
}
