import type { Queryable } from '@quire/database';

/** What a user begins with. */
export interface NewUserRow {
  id: string;
  /** As `normaliseEmail` gives it. */
  email: string;
  name: string | null;
  role: number;
  isEmailVerified: boolean;
}

/** Stores a new user. @returns false, with nothing changed, when somebody has the address. */
export async function insertUser(
  sql: Queryable,
  { id, email, name, role, isEmailVerified }: NewUserRow,
): Promise<boolean> {
  const made = await sql.query(
    `INSERT INTO users (id, email, name, role, email_verified) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING id`,
    [id, email, name, role, isEmailVerified],
  );
  return made.length > 0;
}
