import { describe, expect, it } from '@jest/globals';
import { settingValues } from '@quire/site-package';
import { settingKeys, settingsSchema } from './settings.schemas.js';

const probes = [
  '',
  'x',
  1,
  1.5,
  true,
  null,
  [],
  {},
  { mediaId: 'm' },
  { mediaId: 'm', alt: 'A' },
  { mediaId: 1 },
];
const nested = (key: string, value: unknown) => {
  const [name = '', property] = key.split('.', 2);
  return property === undefined ? { [name]: value } : { [name]: { [property]: value } };
};

describe('settings of site packages', () => {
  it('are those of sites', () => {
    expect(Object.keys(settingValues).sort()).toEqual([...settingKeys].sort());
  });

  it.each(Object.entries(settingValues))('have values of %s that responses can have', (key, schema) => {
    const accepted = probes.filter((value) => schema.safeParse(value).success);
    expect(accepted.length).toBeGreaterThan(0);
    for (const value of accepted)
      expect([value, settingsSchema.safeParse(nested(key, value)).success]).toEqual([value, true]);
  });
});
