import { describe, expect, it } from '@jest/globals';
import { isDatabaseKey, isHostName, isTenantId, sharedSchema, tenantSchema } from './tenant.js';

describe('isTenantId', () => {
  it.each(['default', 'a', 'shop-1', 'a'.repeat(40)])('accepts %s', (id) =>
    expect(isTenantId(id)).toBe(true),
  );

  it.each(['', '1a', '-a', 'A', 'a_b', 'a.b', 'a"b', 'ä', 'a'.repeat(41), 'a\n'])('rejects %j', (id) => {
    expect(isTenantId(id)).toBe(false);
  });

  it('implies schemas that neither two tenants nor a tenant and a service share', () => {
    expect(tenantSchema({ id: 'content' })).toBe('site_content');
    expect(sharedSchema('content')).toBe('cms_content');
  });
});

describe('isHostName', () => {
  it.each(['example.com', 'localhost', 'localhost:4400', 'a.b-c.example', '127.0.0.1:80'])(
    'accepts %s',
    (name) => {
      expect(isHostName(name)).toBe(true);
    },
  );

  it.each(['', '.example', 'example.', 'Exa.mple', 'a/b', 'a b', 'a:port', 'a:123456', 'x'.repeat(254)])(
    'rejects %j',
    (name) => expect(isHostName(name)).toBe(false),
  );
});

describe('isDatabaseKey', () => {
  it.each(['EU1', 'A', 'EU_WEST'])('accepts %s', (key) => expect(isDatabaseKey(key)).toBe(true));
  it.each(['', 'eu1', '1A', 'EU-1', 'A'.repeat(32)])('rejects %j', (key) =>
    expect(isDatabaseKey(key)).toBe(false),
  );
});
