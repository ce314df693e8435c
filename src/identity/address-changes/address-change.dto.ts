import { ApiProperty } from '@nestjs/swagger';

export class AddressChangeDto {
  @ApiProperty({ type: String, format: 'email', description: 'The address that the link was sent to.' })
  email!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'Until when the link is good: 24 hours.' })
  expires_at!: string;
}
