import { ConfigurationError, type Environment } from '@quire/config';
import {
  deriveInternalKeys,
  gatewayIssuer,
  generateInternalKeyPair,
  readInternalKeys,
  type InternalKeys,
  type Secrets,
} from '@quire/context';
import { namesWith } from '@quire/topology';

/** Services that sign internal tokens: the gateway for callers, the others on their own behalf. */
const issuers = [gatewayIssuer, ...namesWith('callsServices')] as const;

/**
 * Returns the keys of internal tokens of a process: the configured ones, else those derived from the shared secrets.
 * @param targets targets of the process; each needs the key of its service
 * @throws ConfigurationError when some of the needed keys are not configured
 */
export function internalKeysOf(
  { CMS_INTERNAL_PRIVATE_KEYS: privateKeys = [], CMS_INTERNAL_PUBLIC_KEYS: publicKeys = [] }: Environment,
  secrets: Secrets,
  targets: readonly string[],
): InternalKeys {
  if (privateKeys.length === 0 && publicKeys.length === 0) return deriveInternalKeys(secrets, issuers);
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
 * Generates keys for all services, as lines for the `.env` of docker-compose.yml. Each target gets only the key of its
 * service as CMS_INTERNAL_PRIVATE_KEYS.
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
