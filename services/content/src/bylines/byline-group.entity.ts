import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Values of byline fields by slug; a field without a value is absent. */
export type CustomValues = Record<string, string | boolean>;

/** What a byline's locales share: the values of fields that are not translatable. */
@Entity('byline_groups')
export class BylineGroup {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'byline_groups_pkey' })
  id!: string;

  @Column('jsonb', { name: 'custom_fields' })
  customFields!: CustomValues;
}
