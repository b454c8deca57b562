import { describe, expect, it } from '@jest/globals';
import { isDatabaseKey, isHostName, isTenantId, sharedSchema, tenantSchema } from './tenant.js';

describe('ids of tenants', () => {
  it.each(['default', 'a', 'shop-1', 'a'.repeat(40)])('%s is one', (id) => expect(isTenantId(id)).toBe(true));

  it.each(['', '1a', '-a', 'A', 'a_b', 'a.b', 'a"b', 'ä', 'a'.repeat(41), 'a\n'])('%j is none', (id) => {
    expect(isTenantId(id)).toBe(false);
  });

  it('give schemas that two tenants never share, nor a tenant with a service', () => {
    expect(tenantSchema({ id: 'content' })).toBe('site_content');
    expect(sharedSchema('content')).toBe('cms_content');
  });
});

describe('host names', () => {
  it.each(['example.com', 'localhost', 'localhost:4400', 'a.b-c.example', '127.0.0.1:80'])(
    '%s is one',
    (name) => {
      expect(isHostName(name)).toBe(true);
    },
  );

  it.each(['', '.example', 'example.', 'Exa.mple', 'a/b', 'a b', 'a:port', 'a:123456', 'x'.repeat(254)])(
    '%j is none',
    (name) => expect(isHostName(name)).toBe(false),
  );
});

describe('keys of databases', () => {
  it.each(['EU1', 'A', 'EU_WEST'])('%s is one', (key) => expect(isDatabaseKey(key)).toBe(true));
  it.each(['', 'eu1', '1A', 'EU-1', 'A'.repeat(32)])('%j is none', (key) =>
    expect(isDatabaseKey(key)).toBe(false),
  );
});
