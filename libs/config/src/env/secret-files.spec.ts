import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { extraDatabaseUrls, loadEnvironment } from './load-environment.js';
import { providerVariables } from './provider-variables.js';

const folder = mkdtempSync(join(tmpdir(), 'quire-secret-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const secret = 'a secret of at least thirty-two characters';
const next = 'another secret of at least thirty-two characters';

function file(text: string): string {
  const path = join(folder, String(Math.random()));
  writeFileSync(path, text);
  return path;
}

describe('a secret in a file (operations G10)', () => {
  it('is read from the path in NAME_FILE, without the end of its line', () => {
    const environment = loadEnvironment({
      CMS_INTERNAL_SECRET: '',
      CMS_INTERNAL_SECRET_FILE: file(`${secret},${next}\n`),
      MEILISEARCH_KEY_FILE: file(' a key '),
      DATABASE_URL_FILE: file('postgresql://a:b@db/quire\r\n'),
    });
    expect(environment).toMatchObject({
      CMS_INTERNAL_SECRET: [secret, next],
      MEILISEARCH_KEY: ' a key ',
      DATABASE_URL: 'postgresql://a:b@db/quire',
    });
  });

  it('is found for the extra databases of tenants and for login providers', () => {
    const url = 'postgresql://eu1/quire';
    expect([
      ...extraDatabaseUrls({ DATABASE_URL_EU1_FILE: file(url), DATABASE_URL_FILE: file('x') }),
    ]).toEqual([['DATABASE_URL_EU1', url]]);
    const env = { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET_FILE: file('s\n') };
    expect(providerVariables('github', ['CLIENT_ID', 'CLIENT_SECRET'], env)).toEqual({
      values: { CLIENT_ID: 'id', CLIENT_SECRET: 's' },
    });
  });

  it('is validated like a variable, and named without its text', () => {
    const wrong = () => loadEnvironment({ CMS_INTERNAL_SECRET_FILE: file('too short') });
    expect(wrong).toThrow('CMS_INTERNAL_SECRET: must have at least 32 characters');
    expect(wrong).not.toThrow(/too short/);
  });

  it('is an error when the file is absent, and when the variable is set too', () => {
    const absent = { REDIS_URL_FILE: join(folder, 'absent') };
    expect(() => loadEnvironment(absent)).toThrow('REDIS_URL_FILE: the file cannot be read (ENOENT)');
    const both = { CMS_SMTP_URL: 'smtp://a', CMS_SMTP_URL_FILE: file('smtp://b') };
    expect(() => loadEnvironment(both)).toThrow('CMS_SMTP_URL and CMS_SMTP_URL_FILE are both set');
  });

  it('is ignored for variables that are no secrets', () => {
    expect(loadEnvironment({ CMS_LOG_LEVEL_FILE: file('fatal') }).CMS_LOG_LEVEL).toBe('info');
  });
});
