import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from './configuration-error.js';
import { extraDatabaseUrls, loadEnvironment } from './load-environment.js';
import { variableReference } from './reference.js';

describe('the environment', () => {
  it('has defaults for a first start', () => {
    expect(loadEnvironment({})).toMatchObject({ PORT: 4321, CMS_DATA_DIR: '.data', CMS_LOG_LEVEL: 'info' });
  });

  it('counts an empty variable as unset', () => {
    expect(loadEnvironment({ PORT: '', REDIS_URL: '' })).toMatchObject({ PORT: 4321 });
  });

  it('names every invalid variable, without its value', () => {
    const wrong = () => loadEnvironment({ PORT: 'eighty', CMS_INTERNAL_SECRET: 'short-secret' });
    expect(wrong).toThrow(ConfigurationError);
    expect(wrong).toThrow(/PORT: [\s\S]*CMS_INTERNAL_SECRET: /);
    expect(wrong).not.toThrow(/short-secret/);
  });

  it('reads the trusted proxy headers as a comma-separated list, in lower case', () => {
    expect(
      loadEnvironment({ CMS_TRUSTED_PROXY_HEADERS: 'X-Real-IP, X-Forwarded-For ,' })
        .CMS_TRUSTED_PROXY_HEADERS,
    ).toEqual(['x-real-ip', 'x-forwarded-for']);
  });

  it('reads the allowed origins as a comma-separated list in the spelling of browsers, and rejects other values', () => {
    const load = (list: string) => loadEnvironment({ CMS_ALLOWED_ORIGINS: list }).CMS_ALLOWED_ORIGINS;
    expect(load('https://A.example/, http://b.example:8080 ,')).toEqual([
      'https://a.example',
      'http://b.example:8080',
    ]);
    for (const wrong of ['a.example', 'https://', 'file:///x', '*'])
      expect(() => load(wrong)).toThrow('CMS_ALLOWED_ORIGINS: must be origins such as https://example.com');
  });

  it('reads the origins of the MCP server like them, and its limits', () => {
    const load = (list: string) => loadEnvironment({ CMS_MCP_ALLOWED_ORIGINS: list }).CMS_MCP_ALLOWED_ORIGINS;
    expect(load('https://A.example/, http://b.example:8080 ,')).toEqual([
      'https://a.example',
      'http://b.example:8080',
    ]);
    for (const wrong of ['a.example', 'https://', 'https://a.example/path', '*'])
      expect(() => load(wrong)).toThrow('CMS_MCP_ALLOWED_ORIGINS');
    expect(loadEnvironment({})).toMatchObject({
      CMS_MCP_CALLS_PER_MINUTE: 600,
      CMS_MCP_SITE_CALLS_PER_MINUTE: 6_000,
    });
    expect(loadEnvironment({}).CMS_MCP_ALLOWED_ORIGINS).toBeUndefined();
    for (const wrong of ['0', '-1', '1.5', 'x'])
      expect(() => loadEnvironment({ CMS_MCP_CALLS_PER_MINUTE: wrong })).toThrow('CMS_MCP_CALLS_PER_MINUTE');
  });

  it.each(['site@example.com', 'Site <site@example.com>', '<site@example.com>'])(
    'accepts the sender %j',
    (from) => {
      expect(loadEnvironment({ CMS_MAIL_FROM: from }).CMS_MAIL_FROM).toBe(from);
    },
  );

  it.each(['site', 'a@b.example, c@d.example', 'Site <a@b.example>\r\nBcc: c@d.example', 'Site <site>'])(
    'rejects the sender %j',
    (from) => {
      expect(() => loadEnvironment({ CMS_MAIL_FROM: from })).toThrow(/CMS_MAIL_FROM/);
    },
  );

  it('accepts only smtp and smtps for the mail server', () => {
    const urlOf = (url: string) => loadEnvironment({ CMS_SMTP_URL: url }).CMS_SMTP_URL;
    expect(['smtp://mail.example:587', 'smtps://a:b@mail.example'].map(urlOf)).toHaveLength(2);
    expect(() => urlOf('http://mail.example')).toThrow(/CMS_SMTP_URL/);
  });

  it('finds the extra databases of tenants', () => {
    const urls = extraDatabaseUrls({
      DATABASE_URL_EU1: 'a',
      CONTENT_DATABASE_URL_EU1: 'b',
      DATABASE_URL: 'c',
      DATABASE_URL_X: '',
    });
    expect([...urls]).toEqual([
      ['DATABASE_URL_EU1', 'a'],
      ['CONTENT_DATABASE_URL_EU1', 'b'],
    ]);
  });

  it('is described in docs/variables.md', () => {
    const document = readFileSync(new URL('../../../../docs/variables.md', import.meta.url), 'utf8');
    expect(document).toContain(variableReference());
  });
});
