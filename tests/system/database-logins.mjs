import pg from 'pg';

/**
 * Creates the logins of an installation, neither of which is a superuser: one for provisioning and one for serving.
 * @param {string} databaseUrl of a superuser
 * @returns {Promise<{ provisioning: string, serving: string, servingRole: string }>} addresses, and the name of the
 *   login that serves
 */
export async function createDatabaseLogins(databaseUrl) {
  const url = new URL(databaseUrl);
  const database = url.pathname.slice(1);
  const [owner, servingRole] = [`${database}_owner`, `${database}_serving`];
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const known = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [servingRole]);
  if (known.rowCount === 0) {
    const password = pg.escapeLiteral(url.password);
    await client.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD ${password}`);
    await client.query(`CREATE ROLE ${servingRole} LOGIN PASSWORD ${password}`);
    await client.query(`GRANT CREATE ON DATABASE ${database} TO ${owner}`);
  }
  await client.end();
  const addressOf = (username) => Object.assign(new URL(databaseUrl), { username }).href;
  return { provisioning: addressOf(owner), serving: addressOf(servingRole), servingRole };
}
