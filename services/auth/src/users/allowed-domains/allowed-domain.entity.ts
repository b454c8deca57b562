import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A domain whose users may sign up. Stored in lower case, in ASCII. */
@Entity('allowed_domains')
export class AllowedDomain {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'allowed_domains_pkey' })
  domain!: string;

  /** The role of users who sign up, before `DefaultRolePolicy.cap`. */
  @Column('integer', { name: 'default_role' })
  defaultRole!: number;

  @Column('boolean', { default: true })
  enabled!: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
