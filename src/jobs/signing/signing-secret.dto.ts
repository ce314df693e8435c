import { ApiProperty } from '@nestjs/swagger';

export class SigningSecretDto {
  @ApiProperty({
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    description: 'For any library of Standard Webhooks.',
  })
  secret!: string;
}
