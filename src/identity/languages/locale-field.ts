import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, ValidateBy } from 'class-validator';
import { canonicalLocale, MAX_LOCALE } from '../../platform/languages/index.js';

/** An optional DTO field that takes a language tag (BCP 47), holds it in its canonical form, and null for none. */
export function LocaleField(
  description = 'Language of mails and pages, as a tag of BCP 47.',
): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      nullable: true,
      minLength: 2,
      maxLength: MAX_LOCALE,
      example: 'pt-BR',
      description,
    }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (canonicalLocale(value) ?? value) : value,
    ),
    ValidateBy({
      name: 'isLocale',
      validator: {
        validate: (value) => typeof value === 'string' && canonicalLocale(value) !== null,
        defaultMessage: () => `must be a language tag of at most ${MAX_LOCALE} characters, such as pt-BR`,
      },
    }),
  );
}
