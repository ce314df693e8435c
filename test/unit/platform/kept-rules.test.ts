import { getMetadataStorage } from 'class-validator';
import { TextField, validated } from '../../../src/http/index.js';

class Named {
  @TextField(1, 5)
  name!: string;
}

class Addressed extends Named {
  @TextField(1, 5)
  city!: string;
}

test('the rules of a class, with those of the class that it extends, are looked for once', async () => {
  const storage = getMetadataStorage();
  const rulesOf = (of: typeof Named): unknown => storage.getTargetValidationMetadatas(of, '', false, false);
  for (let round = 0; round < 2; round += 1) {
    await expect(validated(Named, { name: 'longer' })).rejects.toThrow();
    await expect(validated(Addressed, { city: 'Rome', name: 'longer' })).rejects.toThrow();
    expect(await validated(Addressed, { city: 'Rome', name: 'Ada' })).toEqual({ city: 'Rome', name: 'Ada' });
  }
  expect(rulesOf(Addressed)).toBe(rulesOf(Addressed));
  expect(rulesOf(Addressed)).not.toBe(rulesOf(Named));
});
