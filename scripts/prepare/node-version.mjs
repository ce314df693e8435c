/**
 * Whether a version of Node.js is in a range such as `^20.19.5 || >=24.0.0`. The package semver is not there before
 * the dependencies are, so this knows the two operators that package.json uses, and refuses others.
 * @param {string} version three numbers with dots between
 * @param {string} range alternatives of `^` or `>=`, each with a whole version
 */
export function isInRange(version, range) {
  const numbers = numbersOf(version);
  return range.split('||').some((alternative) => {
    const [, operator, text] = /^(\^|>=)(\d+\.\d+\.\d+)$/.exec(alternative.trim()) ?? [];
    if (text === undefined) throw new Error(`unknown range of Node.js versions: ${alternative.trim()}`);
    const oldest = numbersOf(text);
    return (operator === '>=' || numbers[0] === oldest[0]) && !isOlder(numbers, oldest);
  });
}

function numbersOf(version) {
  return version.split('.').map((part) => Number.parseInt(part, 10));
}

function isOlder(numbers, than) {
  const place = numbers.findIndex((number, index) => number !== than[index]);
  return place !== -1 && numbers[place] < than[place];
}
