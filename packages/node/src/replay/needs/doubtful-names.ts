import { isWrittenAsName } from './need-symbols.ts'

/**
 * Whether a name could be written by someone who never read it: a plain word (`Button`), a name of a standard library or of every second project
 * (`innerText`, `class_name`), or one that the action itself declares. `texts` are those of the action.
 */
export function isDoubtfulName(name: string, texts: readonly string[]): boolean {
  return !isWrittenAsName(name) || publicNames.has(name.toLowerCase()) || texts.some((text) => declares(text, name))
}

function declares(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - 24), at)
    const after = text.slice(at + name.length, at + name.length + 60)
    if (/[\w$]/.test(after[0] ?? '') || /[\w$.]$/.test(before)) continue
    if (/\b(?:const|let|var|func|def|class|type|interface|fn|struct|enum|function|for|catch|mut) \(?$/.test(before)) return true
    if (/^(?:, ?\w+){0,3} ?:= /.test(after) || (/(?:^|[\n;]) *$/.test(before) && /^ ?= ?[^=]/.test(after))) return true
  }
  return false
}

/** In lower case. */
const publicNames: ReadonlySet<string> = new Set(
  `
  innertext innerhtml textcontent classname class_name classlist addclass stylesheet queryselectorall appendchild createelement getattribute
  setattribute removechild localstorage sessionstorage preventdefault stoppropagation onclick onchange onsubmit usestate useeffect usecallback usememo
  useref usecontext forwardref createcontext defaultprops proptypes statuscode status_code responsetext contenttype content_type useragent user_agent
  encodeuricomponent decodeuricomponent arraybuffer uint8array int32array textencoder textdecoder urlsearchparams formdata abortcontroller
  eventemitter readablestream process_env child_process execsync spawnsync existssync mkdirsync readdirsync statsync unlinksync rmsync createhash
  createserver randomuuid performance_now toisostring tofixed tostringtag getownpropertynames defineproperty fromentries setprototypeof
  tomatchobject tothrow tohavebeencalled tohavebeencalledwith tobetruthy tobefalsy tobenull tobedefined tobeundefined tocontain mockreturnvalue
  mockresolvedvalue mockimplementation spyon beforeeach aftereach describeeach

  fprintf fprintln printf sprintf errorf fatalf writestring readstring combinedoutput mkdirtemp mkdirall removeall readdir writefile readfile openfile
  createtemp tempdir setenv getenv lookupenv userhomedir execcommand commandcontext withvalue withdeadline trimspace trimprefix trimsuffix hasprefix
  hassuffix splitn replaceall newreplacer newbuffer newbufferstring newscanner newencoder newdecoder marshalindent rawmessage unixnano unixmilli
  rfc3339 timeduration isnotexist isexist errnotexist filemode waitgroup oncefunc handlefunc listenandserve responsewriter httptest newrequest
  newrecorder newserver tempfile testmain t_helper t_run t_errorf assertequal assertnil requirenoerror nilerr nolint errcheck

  os_path sys_argv sys_path is_file is_dir read_text write_text read_bytes write_bytes iterdir rglob json_loads json_dumps re_sub re_match
  check_output check_call popen capture_output universal_newlines returncode add_argument parse_args argumentparser set_defaults setuptools
  find_packages install_requires extras_require entry_points console_scripts abstractmethod abstractproperty cached_property lru_cache total_ordering
  setup_class teardown_class setup_method teardown_method set_up tear_down assert_called_once assert_called_with side_effect return_value magicmock
  patch_object skipif xfail capsys tmp_path tmpdir usefixtures conftest isinstance notimplemented stopiteration keyboardinterrupt systemexit
  zerodivisionerror recursionerror unicodedecodeerror deprecationwarning userwarning runtimewarning

  as_ref as_mut unwrap_or_else unwrap_or_default to_owned from_str into_string push_str is_empty with_capacity iter_mut filter_map flat_map
  map_err ok_or and_then cfg_test serde_json println eprintln pathbuf refcell

  file_name filename file_path filepath file_size dir_name base_name base_url baseurl base_path full_path root_dir src_dir out_dir tmp_dir
  user_id userid user_name username first_name last_name full_name created_at createdat updated_at updatedat deleted_at start_time starttime
  end_time endtime max_length maxlength min_length max_size page_size api_key apikey access_token refresh_token session_id request_id
  error_message errormessage error_code new_value old_value new_text old_text old_string new_string line_number linenumber is_valid is_active
  default_value test_data expected_result actual_result tool_use tool_result input_schema package_json readme_md node_modules utf8 utf_8 sha256 base64
  json_data raw_data user_input config_file config_path log_level debug_mode
  `
    .split(/\s+/)
    .filter((word) => word !== ''),
)
