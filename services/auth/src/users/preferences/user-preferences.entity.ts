import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A value that a user's interface stores, and when. */
export interface StoredPreference {
  value: unknown;
  updatedAt: string;
}

/** All preferences of a user, in one row: their size is limited together. */
@Entity('user_preferences')
export class UserPreferences {
  @PrimaryColumn('text', { name: 'user_id', primaryKeyConstraintName: 'user_preferences_pkey' })
  userId!: string;

  /** By key. */
  @Column('jsonb')
  preferences!: Record<string, StoredPreference>;
}
