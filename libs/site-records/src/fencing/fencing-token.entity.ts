import type { EntityClass } from '@quire/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What accepts the tokens: the one row of the table. */
export const importScope = 'import';

/** The newest fencing token that a service has accepted. */
export interface FencingToken {
  scope: string;
  token: number;
}

/** The entity of a table with the token of one service. */
export function fencingTokenEntity(table: string): EntityClass<FencingToken> {
  @Entity(table)
  class AcceptedToken implements FencingToken {
    @PrimaryColumn('text', { primaryKeyConstraintName: `${table}_pkey` })
    scope!: string;

    @Column('bigint')
    token!: number;
  }
  return AcceptedToken;
}
