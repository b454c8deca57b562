import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A link of the chain of a site's audit log. The trigger of `audit_log` inserts it when the record is committed. */
@Entity('audit_chain')
@Index('audit_chain_record_id', ['recordId'], { unique: true })
export class AuditChainLink {
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'audit_chain_pkey' })
  seq!: number;

  @Column('text', { name: 'record_id' })
  recordId!: string;

  @Column('bytea', { name: 'previous_hash' })
  previousHash!: Buffer;

  @Column('bytea')
  hash!: Buffer;
}
