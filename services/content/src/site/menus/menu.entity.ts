import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A menu in one locale (contract 6, Menu). */
@Entity('menus')
@Index('menus_name_locale', ['name', 'locale'], { unique: true })
@Index('menus_translation_group_locale', ['translationGroup', 'locale'], { unique: true })
export class Menu {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'menus_pkey' })
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  label!: string;

  @Column('text')
  locale!: string;

  @Column('text', { name: 'translation_group' })
  translationGroup!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** Also set by changes of the menu's items. */
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
