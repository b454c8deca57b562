import { settingValues, type SiteRecord } from '@quire/site-package';
import { isAllowedSeedUrl, isHttpUrl } from '@quire/values';
import type { RecordFault } from './parse-record.js';

/**
 * Checks the value of a setting: one of another form would make all settings of the site unreadable, and pages link to
 * addresses.
 */
export function checkSetting({ key, value }: SiteRecord<'settings'>): RecordFault[] {
  if (!settingValues[key].safeParse(value).success)
    return fault(`The setting ${key} has a value of another form`);
  return isSafeAddress(key, value) ? [] : fault(`The setting ${key} has an unsafe URL`);
}

/** An empty address leads nowhere; a profile may be a name. */
function isSafeAddress(key: string, value: unknown): boolean {
  if (typeof value !== 'string' || value === '') return true;
  if (key === 'url') return isHttpUrl(value);
  return !key.startsWith('social.') || isAllowedSeedUrl(value);
}

function fault(message: string): RecordFault[] {
  return [{ code: 'value_constraint_violation', message, path: 'value' }];
}
