import { readHosts } from '../../../src/projects/project-hosts.js';

describe('the hosts of a project', () => {
  it('are kept normalised, each once, in the order given', () => {
    expect(readHosts(['B.example.com.', 'a.example.com', 'b.example.com'], null)).toEqual({
      hosts: ['b.example.com', 'a.example.com'],
      problems: [],
    });
  });

  it('are each refused with their index when they are not host names or have a port', () => {
    const { problems } = readHosts(['ok.example', 'a.example:80', 7, ''], null);
    expect(problems.map(({ path }) => path)).toEqual(['hosts[1]', 'hosts[2]', 'hosts[3]']);
  });

  it('cannot lie under the project domain, where they would be the ref of another', () => {
    const { problems } = readHosts(['other.projects.test', 'projects.test'], 'projects.test');
    expect(problems.map(({ path }) => path)).toEqual(['hosts[0]', 'hosts[1]']);
  });
});
