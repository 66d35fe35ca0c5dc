/** Whether a string says nothing about what was read: a word of a programming language or its library, a path of every machine. */
export function isGuessable(text: string): boolean {
  return known.has(text) || known.has(text.toLowerCase())
}

// Only what has six and more characters is ever asked about, and paths.
const known: ReadonlySet<string> = new Set(
  `
  abstract assert async await boolean continue declare default delete double elseif except export extends extern finally foreach
  friend function global implements import include inline instanceof interface internal keyof lambda module mutable namespace native
  nonlocal object operator override package private protected public readonly register require restrict return sealed signed sizeof
  static strict string struct switch symbol template throws transient typedef typename typeof undefined unknown unless unsafe unsigned
  virtual volatile public_key ifndef endif define pragma

  append arange argparse arguments asyncio asdict assertequal assertin assertraises asserttrue assertfalse basename buffer bytearray
  classmethod collections compile concat console constructor contains contextlib contextmanager copyfile counter dataclass dataclasses
  datetime decode deepcopy defaultdict deque dirname document encode endswith entries enumerate environ exception exists extend
  filter finditer findall fixture float flatmap foreach format fprintf frombuffer fromkeys frozenset fullmatch functools getattr
  getenv getcwd hasattr hashlib hasown hasownproperty importlib includes indexof inspect instance isarray isdir isfile isinstance
  issubclass itertools iterator iterable itemgetter javascript joinpath lastindexof length listdir localhost logger logging lowercase
  lstrip makedirs matchall mkdtemp monkeypatch namedtuple namedtemporaryfile nodejs notimplementederror number operator optional
  orderdict ordereddict parametrize parsefloat parseint partial pathlib pickle popitem pprint printf println process promise property
  prototype python python3 pytest random readfile readfilesync readline readlines reduce regexp replace replaceall requests resolve
  result reverse reversed rfind rsplit rstrip search sequence session setattr setdefault shutil signature slice snprintf sorted sprintf
  splice splitlines staticmethod startswith stderr stdin stdout strerror stringify strings strip strlen subprocess substring swapcase
  sys system tempfile testing textwrap timedelta timestamp toequal tobe tohavelength tostring tolowercase touppercase traceback
  tuple typescript typing unicode unittest unlink update upper uppercase urllib urlparse valueerror typeerror keyerror indexerror
  attributeerror importerror runtimeerror filenotfounderror assertionerror modulenotfounderror syntaxerror nameerror rangeerror
  referenceerror values warning warnings writefile writefilesync writelines yield settimeout setinterval cleartimeout queryselector
  addeventlistener getelementbyid beforeeach aftereach beforeall afterall describe expect mapping matcher method context errorf sprint
  fatalf mustcompile readall background withcancel withtimeout waitgroup rwmutex newreader newwriter println unmarshal marshal
  vec<string> hashmap btreemap unwrap unwrap_or to_string into_iter collect as_str is_some is_none
  __init__ __main__ __name__ __file__ __repr__ __str__ __call__ __eq__ __hash__ __iter__ __len__ __getitem__ __setitem__ __contains__
  __enter__ __exit__ __class__ __dict__ __doc__ __all__ __new__ __version__ __future__ __getattr__ __setattr__

  command content message messages filename filepath options option params parameter parameters value values status string integer
  number default response request server client project folder directory version example examples source target output input

  /dev/null /tmp /usr /usr/bin /usr/local /usr/local/bin /bin/bash /bin/sh /usr/bin/env /etc /home /root /var /opt
  package.json readme.md tsconfig.json setup.py pyproject.toml go.mod go.sum cargo.toml makefile .gitignore index.ts index.js main.py
  main.go __init__.py requirements.txt node_modules package-lock.json dockerfile claude.md agents.md setup.cfg src/index.ts
  `
    .split(/\s+/)
    .filter((word) => word !== ''),
)
