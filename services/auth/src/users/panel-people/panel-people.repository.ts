import { columnsOf, likeContaining, Parameters, type Queryable } from '@quire/database';
import { roles } from '@quire/permissions';
import { User } from '../index.js';
import type { PanelPeopleQuery, PanelPerson } from './panel-people.schemas.js';

const columns = `${columnsOf(User, { only: ['id', 'name', 'avatarUrl'] })}, disabled AS "isDisabled"`;

/** By name, users without one last. */
const order = 'ORDER BY name, id';

/** As in the index `users_panel_people`, which has them in the order of the list. */
const isSelectable = `NOT disabled AND role >= ${roles.CONTRIBUTOR}`;

/** @returns the first active users of the role contributor or a higher one, by name; `q` matches a part of the name. */
export function selectPeopleByName(
  sql: Queryable,
  { q, limit }: Pick<PanelPeopleQuery, 'q' | 'limit'>,
): Promise<PanelPerson[]> {
  const params = new Parameters();
  const conditions = [isSelectable];
  if (q) conditions.push(`name ILIKE ${params.add(likeContaining(q), 'text')}`);
  const text = `SELECT ${columns} FROM users WHERE ${conditions.join(' AND ')} ${order} LIMIT ${params.add(limit)}`;
  return sql.query(text, params.values);
}

/** @returns the users with these ids, by name, of any role and also disabled ones. */
export function selectPeopleByIds(sql: Queryable, ids: readonly string[]): Promise<PanelPerson[]> {
  return sql.query(`SELECT ${columns} FROM users WHERE id = ANY($1) ${order}`, [ids]);
}
