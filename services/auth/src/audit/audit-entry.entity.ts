import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A record of the audit log. It has ids without foreign keys: it outlives the rows. */
@Entity('audit_log')
@Index('audit_log_created_at', ['createdAt', 'id'])
@Index('audit_log_action', ['action', 'createdAt', 'id'])
@Index('audit_log_actor_id', ['actorId', 'createdAt', 'id'])
@Index('audit_log_user_id', ['userId', 'createdAt', 'id'])
@Index('audit_log_token_uses', ['targetId', 'clientAddress', 'createdAt'], { where: "action = 'token.used'" })
export class AuditEntry {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'audit_log_pkey' })
  id!: string;

  @Column('text')
  action!: string;

  /** Kind of the principal: session, token, system, anonymous. */
  @Column('text', { name: 'actor_kind' })
  actorKind!: string;

  /** Id of a user, or name of a system actor. */
  @Column('text', { name: 'actor_id', nullable: true })
  actorId!: string | null;

  @Column('text', { name: 'target_type', nullable: true })
  targetType!: string | null;

  @Column('text', { name: 'target_id', nullable: true })
  targetId!: string | null;

  /** The affected user. */
  @Column('text', { name: 'user_id', nullable: true })
  userId!: string | null;

  @Column('text', { name: 'client_address', nullable: true })
  clientAddress!: string | null;

  @Column('text', { name: 'request_id', nullable: true })
  requestId!: string | null;

  @Column('jsonb')
  details!: Record<string, unknown>;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** SHA-256 over the canonical record, from which the trigger computes its link. */
  @Column('bytea', { default: () => `'\\x'` })
  digest!: Buffer;
}
