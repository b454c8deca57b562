import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An application that may ask users for access. All are public clients: none holds a secret. */
@Entity('oauth_clients')
@Index('oauth_clients_registered_itself', ['createdAt'], { where: 'registered_itself' })
export class OAuthClient {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'oauth_clients_pkey' })
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { name: 'redirect_uris', array: true })
  redirectUris!: string[];

  /** null: any scope may be asked for. */
  @Column('text', { array: true, nullable: true })
  scopes!: string[] | null;

  /** Whether it introduced itself, and no administrator did. */
  @Column('boolean', { name: 'registered_itself', default: false })
  registeredItself!: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
