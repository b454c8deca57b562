import { settingValues, type SiteRecord } from '@quire/site-package';
import { isAllowedSeedUrl, isHttpUrl } from '@quire/values';
import type { RecordFault } from './parse-record.js';

/**
 * Checks the value of a setting: one of another form would make all settings of the site unreadable, and pages link to
 * addresses.
 */
export function checkSetting({ key, value }: SiteRecord<'settings'>): RecordFault[] {
  const schema = Object.hasOwn(settingValues, key) ? settingValues[key] : undefined;
  if (!schema) return fault('key', 'A setting does not exist in this installation');
  if (!schema.safeParse(value).success)
    return fault('value', `The setting ${key} has a value of another form`);
  return isSafeAddress(key, value) ? [] : fault('value', `The setting ${key} has an unsafe URL`);
}

/** An empty address leads nowhere; a profile may be a name. */
function isSafeAddress(key: string, value: unknown): boolean {
  if (typeof value !== 'string' || value === '') return true;
  if (key === 'url') return isHttpUrl(value);
  return !key.startsWith('social.') || isAllowedSeedUrl(value);
}

function fault(path: string, message: string): RecordFault[] {
  return [{ code: 'value_constraint_violation', message, path }];
}
