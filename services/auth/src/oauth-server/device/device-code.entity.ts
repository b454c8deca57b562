import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/index.js';
import { OAuthClient } from '../clients/oauth-client.entity.js';

/** A device authorization, pending or decided. It is deleted when its tokens are issued. */
@Entity('oauth_device_codes')
export class DeviceCode {
  @PrimaryColumn('text', { name: 'device_hash', primaryKeyConstraintName: 'oauth_device_codes_pkey' })
  deviceHash!: string;

  /** The code that the user types, without the hyphen. */
  @Index('oauth_device_codes_user_code', { unique: true })
  @Column('text', { name: 'user_code' })
  userCode!: string;

  @Index('oauth_device_codes_client_id')
  @Column('text', { name: 'client_id', nullable: true })
  clientId!: string | null;

  @ManyToOne(() => OAuthClient, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'client_id', foreignKeyConstraintName: 'oauth_device_codes_client_id_fkey' })
  client?: Relation<OAuthClient> | null;

  /** The deciding user. */
  @Index('oauth_device_codes_user_id')
  @Column('text', { name: 'user_id', nullable: true })
  userId!: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'oauth_device_codes_user_id_fkey' })
  user?: Relation<User> | null;

  /** Requested scopes; once approved, the granted ones. */
  @Column('text', { array: true })
  scopes!: string[];

  @Column('text', { default: 'pending' })
  status!: 'pending' | 'approved' | 'denied';

  @Column('integer', { name: 'interval_seconds' })
  intervalSeconds!: number;

  @Column({ type: 'timestamptz', name: 'last_polled_at', precision: 3, nullable: true })
  lastPolledAt!: Date | null;

  @Index('oauth_device_codes_expires_at')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;
}
