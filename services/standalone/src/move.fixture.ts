import { randomBytes } from 'node:crypto';
import { testStores } from '@quire/testing';
import pg from 'pg';
import { openInstallation, type TestInstallation } from './installation.fixture.js';

/** The key of the second database. */
export const otherKey = 'EU2';

/** An installation with two databases. */
export interface MoveInstallation extends TestInstallation {
  /** Address of the second database. */
  otherUrl: string;
  /** Runs a statement as the superuser in the database of a key. */
  on<Row extends object>(key: string | null, statement: string, values?: unknown[]): Promise<Row[]>;
}

/** @param name unique name of the spec */
export async function openMoveInstallation(name: string): Promise<MoveInstallation> {
  const database = `spec_${name}_other_${randomBytes(4).toString('hex')}`;
  await query(testStores().databaseUrl, `CREATE DATABASE ${database}`);
  const other = Object.assign(new URL(testStores().databaseUrl), { pathname: `/${database}` }).href;
  setOtherUrl(other);
  const test = await openInstallation(name);
  return {
    ...test,
    otherUrl: other,
    on: (key, statement, values) =>
      query(key === null ? (test.environment.DATABASE_URL ?? '') : other, statement, values),
    async close() {
      await test.close();
      setOtherUrl('');
      await query(testStores().databaseUrl, `DROP DATABASE ${database} WITH (FORCE)`);
    },
  };
}

/** Sets the address of the second database for installations that are opened from now on. */
export function setOtherUrl(url: string): void {
  // They read it from the environment, where its name is any key.
  // eslint-disable-next-line no-restricted-properties
  process.env[`DATABASE_URL_${otherKey}`] = url;
}

async function query<Row extends object>(
  connectionString: string,
  statement: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
