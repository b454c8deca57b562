import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/index.js';

/** The newest assertion of the edge access proxy with which a user has signed in. */
@Entity('edge_sign_ins')
export class EdgeSignIn {
  @PrimaryColumn('text', { name: 'user_id', primaryKeyConstraintName: 'edge_sign_ins_pkey' })
  userId!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'edge_sign_ins_user_id_fkey' })
  user?: Relation<User>;

  /** SHA-256 of the assertion. */
  @Column('text', { name: 'assertion_hash' })
  assertionHash!: string;

  /** The time at which the proxy issued the assertion. */
  @Column({ type: 'timestamptz', name: 'issued_at', precision: 3 })
  issuedAt!: Date;
}
